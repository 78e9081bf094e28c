/* dlfcn.h of a C library without deep binding, such as Musl and Bionic. */
#include_next <dlfcn.h>
#undef RTLD_DEEPBIND
