/* Two models in one program, each run by several threads at the same time: what
 * comes out is what one thread alone gets. */
#include "a.h"
#include "b.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, RUNS = 20 };

static void *allocate(size_t size) {
  void *memory;
  if (posix_memalign(&memory, 64, size))
    abort();
  return memory;
}

/* A job: input of its own, and what is to come out. */
struct job {
  int (*run)(const void *const *, void *const *, void *);
  size_t output_bytes;
  const void *input;
  void *arena, *output, *expected;
  int wrong;
};

static void *work(void *argument) {
  struct job *job = argument;
  int i;
  for (i = 0; i < RUNS; ++i)
    job->wrong |= job->run(&job->input, &job->output, job->arena) != 0 ||
                  memcmp(job->output, job->expected, job->output_bytes) != 0;
  return NULL;
}

static void prepare(struct job *job, int seed, size_t input_bytes) {
  float *input = allocate(input_bytes);
  size_t i;
  for (i = 0; i < input_bytes / sizeof(float); ++i)
    input[i] = (float)((i * 37 + (size_t)seed * 101) % 255) / 255;
  job->input = input;
  job->output = allocate(job->output_bytes);
  job->expected = allocate(job->output_bytes);
  job->wrong = job->run(&job->input, &job->expected, job->arena) != 0;
}

int main(void) {
  struct job jobs[2 * THREADS];
  pthread_t threads[2 * THREADS];
  int i;
  for (i = 0; i < 2 * THREADS; i += 2) {
    struct job a = {0}, b = {0};
    a.run = a_run;
    b.run = b_run;
    a.output_bytes = a_outputs[0].bytes;
    b.output_bytes = b_outputs[0].bytes;
    a.arena = allocate(A_ARENA_SIZE);
    b.arena = allocate(B_ARENA_SIZE);
    if (a_init(a.arena, A_ARENA_SIZE) || b_init(b.arena, B_ARENA_SIZE))
      return 1;
    prepare(&a, i, a_inputs[0].bytes);
    prepare(&b, i, b_inputs[0].bytes);
    jobs[i] = a;
    jobs[i + 1] = b;
  }
  if (memcmp(jobs[0].expected, jobs[2].expected, jobs[0].output_bytes) == 0) {
    printf("the inputs make no difference\n");
    return 1;
  }
  for (i = 0; i < 2 * THREADS; ++i)
    if (pthread_create(&threads[i], NULL, work, &jobs[i]))
      return 1;
  for (i = 0; i < 2 * THREADS; ++i)
    pthread_join(threads[i], NULL);
  for (i = 0; i < 2 * THREADS; ++i) {
    if (jobs[i].wrong) {
      printf("job %d went wrong\n", i);
      return 1;
    }
  }
  printf("%d jobs\n", i);
  return 0;
}
