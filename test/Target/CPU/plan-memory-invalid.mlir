// RUN: model-opt --plan-memory --split-input-file --verify-diagnostics %s

// The product of the dims would wrap, and be zero.
func.func @wraps(%out: memref<1xf32>) {
  %i0 = arith.constant 0 : index
  // expected-error @+1 {{a buffer of type 'memref<4294967296x4294967296xf32>' is too large: its bytes are 2^63 or more}}
  %a = memref.alloc() : memref<4294967296x4294967296xf32>
  %x = memref.load %a[%i0, %i0] : memref<4294967296x4294967296xf32>
  memref.store %x, %out[%i0] : memref<1xf32>
  return
}

// -----

// Only rounding up to the alignment would wrap.
func.func @alignment(%out: memref<1xi8>) {
  %i0 = arith.constant 0 : index
  // expected-error @+1 {{a buffer of type 'memref<9223372036854775800xi8>' is too large}}
  %a = memref.alloc() : memref<9223372036854775800xi8>
  %x = memref.load %a[%i0] : memref<9223372036854775800xi8>
  memref.store %x, %out[%i0] : memref<1xi8>
  return
}

// -----

// Each has a size, all of them have none.
func.func @sum(%out: memref<1xf32>) {
  %i0 = arith.constant 0 : index
  %a = memref.alloc() : memref<1152921504606846976xf32>
  // expected-error @+1 {{the model's buffers are too large: with one of type 'memref<1152921504606846976xf32>' they have 2^63 bytes or more}}
  %b = memref.alloc() : memref<1152921504606846976xf32>
  %x = memref.load %a[%i0] : memref<1152921504606846976xf32>
  %y = memref.load %b[%i0] : memref<1152921504606846976xf32>
  %z = arith.addf %x, %y : f32
  memref.store %z, %out[%i0] : memref<1xf32>
  return
}
