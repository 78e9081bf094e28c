// Shows the thread sanitizer what Swift's Mutex orders on Linux. Loaded into the tests by ci/thread-sanitizer.
//
// A Mutex that is free is taken and given by an atomic operation, which the sanitizer sees. If threads compete for it,
// functions of the standard library let the kernel pass it on, which the sanitizer does not see: it would report what
// the Mutex protects as a race. The two functions below take their names, and say so before and after they do the same.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define swift __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *

// Missing in processes that were not built with the sanitizer.
void __tsan_acquire(void *) __attribute__((weak));
void __tsan_release(void *) __attribute__((weak));

swift void lock(uint32_t thread, SELF mutex) __asm__(LOCK);
swift void unlock(SELF mutex) __asm__(UNLOCK);

swift void lock(uint32_t thread, SELF mutex) {
  swift void (*original)(uint32_t, SELF) = (swift void (*)(uint32_t, SELF))dlsym(RTLD_NEXT, LOCK);
  original(thread, mutex);
  if (__tsan_acquire) __tsan_acquire(mutex);
}

swift void unlock(SELF mutex) {
  swift void (*original)(SELF) = (swift void (*)(SELF))dlsym(RTLD_NEXT, UNLOCK);
  if (__tsan_release) __tsan_release(mutex);
  original(mutex);
}
