// Times one ONNX model under onnxruntime-node: median wall time of a run in ms.
//
// usage: node ort_bench.js MODEL.onnx WARMUP ITERATIONS THREADS
//
// ORT_NODE names the package (default: onnxruntime-node, where node finds it).
const ort = require(process.env.ORT_NODE || 'onnxruntime-node');
const { performance } = require('perf_hooks');

(async () => {
  const [model, warmup, iterations, threads] = process.argv.slice(2);
  const session = await ort.InferenceSession.create(model, {
    intraOpNumThreads: Number(threads),
    interOpNumThreads: 1,
    executionMode: 'sequential',
    graphOptimizationLevel: 'all',
  });
  const shape = session.inputMetadata[0].shape;
  const data = new Float32Array(shape.reduce((a, b) => a * b, 1));
  for (let i = 0; i < data.length; ++i) data[i] = Math.sin(i);
  const feeds = { [session.inputNames[0]]: new ort.Tensor('float32', data, shape) };
  for (let i = 0; i < Number(warmup); ++i) await session.run(feeds);
  const times = [];
  for (let i = 0; i < Number(iterations); ++i) {
    const start = performance.now();
    await session.run(feeds);
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  console.log(times[times.length >> 1].toFixed(3));
})();
