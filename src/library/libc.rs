//! Functions of C and POSIX libraries that do more than return a value.
//!
//! Such a function is never taken for pure: it writes through a pointer, keeps one, returns one that leads to its arguments or
//! to memory of its own, calls back, jumps, or becomes another process. The table is made of the prototypes in the headers of
//! glibc: a function is in it unless it takes only numbers, streams and pointers to constants, and returns a number. Added are
//! functions of the C standard's annex K and of BSD, and those whose prototypes do not tell (`readv`, `fork`, `tzset`, `exec…`).
//! What is not in it, and is not known otherwise, is a function of the user: `--undefined-functions` says what it does.

use std::collections::BTreeSet;
use std::sync::LazyLock;

/// Their names, in order.
const NAMES: &str = "
    _setjmp accept accept4 adjtime aio_cancel aio_cancel64 aio_fsync aio_fsync64 aio_read aio_read64 aio_return
    aio_return64 aio_suspend aio_suspend64 aio_write aio_write64 aligned_alloc alloca alphasort alphasort64
    arc4random_buf argp_error argp_failure argp_help argp_parse argz_add argz_add_sep argz_append argz_create
    argz_create_sep argz_delete argz_extract argz_insert argz_next argz_replace argz_stringify asctime asctime_r
    asctime_s asprintf at_quick_exit atexit backtrace backtrace_symbols backtrace_symbols_fd basename bcopy
    bindresvport bindresvport6 brk bsd_signal bsearch bsearch_s bzero c16rtomb c32rtomb c8rtomb call_once calloc
    canonicalize canonicalize_file_name canonicalizef canonicalizef32 canonicalizef32x canonicalizef64
    canonicalizef64x canonicalizel catclose catgets cfmakeraw cfsetispeed cfsetospeed cfsetspeed clock_adjtime
    clock_getcpuclockid clock_getres clock_gettime clock_nanosleep clone cnd_broadcast cnd_destroy cnd_init cnd_signal
    cnd_timedwait cnd_wait confstr copy_file_range crypt crypt_gensalt crypt_gensalt_r crypt_gensalt_ra
    crypt_gensalt_rn crypt_preferred_method crypt_r crypt_ra crypt_rn ctermid ctime ctime_r ctime_s cuserid daemon
    dirname dl_iterate_phdr dladdr dladdr1 dlclose dlerror dlinfo dlmopen dlopen dlsym dlvsym dn_comp dn_expand
    dprintf drand48_r ecvt ecvt_r envz_add envz_entry envz_get envz_merge envz_remove envz_strip epoll_ctl epoll_pwait
    epoll_pwait2 epoll_wait erand48 erand48_r err error error_at_line errx eventfd_read execl execle execlp execv
    execve execveat execvp execvpe explicit_bzero fcntl fcntl64 fcvt fcvt_r fegetenv fegetexceptflag fegetmode
    feholdexcept fexecve fgetgrent fgetgrent_r fgetln fgetpos fgetpos64 fgetpwent fgetpwent_r fgets fgets_unlocked
    fgetsgent fgetsgent_r fgetspent fgetspent_r fgetws fgetws_unlocked fgetxattr flistxattr fmemopen fopen_s
    fopencookie fork forkpty fprintf fread fread_unlocked free freeaddrinfo freeifaddrs freopen freopen64 freopen_s
    frexp frexpf frexpf32 frexpf32x frexpf64 frexpf64x frexpl fscanf fscanf_s fstat fstat64 fstatat fstatat64 fstatfs
    fstatfs64 fstatvfs fstatvfs64 ftime fts64_children fts64_close fts64_open fts64_read fts64_set fts_children
    fts_close fts_open fts_read fts_set ftw ftw64 fwprintf fwscanf gai_cancel gai_error gai_strerror gai_suspend gamma
    gammaf gammal gcvt get_current_dir_name getaddrinfo getaddrinfo_a getaliasbyname getaliasbyname_r getaliasent
    getaliasent_r getchar_s getcontext getcpu getcwd getdate getdate_r getdelim getdents64 getdirentries
    getdirentries64 getdomainname getentropy getenv_s getgrent getgrent_r getgrgid getgrgid_r getgrnam getgrnam_r
    getgrouplist getgroups gethostbyaddr gethostbyaddr_r gethostbyname gethostbyname2 gethostbyname2_r gethostbyname_r
    gethostent gethostent_r gethostname getifaddrs getipv4sourcefilter getitimer getline getloadavg getlogin
    getlogin_r getmntent getmntent_r getmode getnameinfo getnetbyaddr getnetbyaddr_r getnetbyname getnetbyname_r
    getnetent getnetent_r getnetgrent getnetgrent_r getopt getopt_long getopt_long_only getpass getpeername
    getprotobyname getprotobyname_r getprotobynumber getprotobynumber_r getprotoent getprotoent_r getpw getpwent
    getpwent_r getpwnam getpwnam_r getpwuid getpwuid_r getrandom getresgid getresuid getrlimit getrlimit64
    getrpcbyname getrpcbyname_r getrpcbynumber getrpcbynumber_r getrpcent getrpcent_r getrusage gets gets_s
    getservbyname getservbyname_r getservbyport getservbyport_r getservent getservent_r getsgent getsgent_r getsgnam
    getsgnam_r getsockname getsockopt getsourcefilter getspent getspent_r getspnam getspnam_r getsubopt gettimeofday
    getttyent getttynam getusershell getutent getutent_r getutid getutid_r getutline getutline_r getutmp getutmpx
    getutxent getutxid getutxline getwd getxattr glob glob64 globfree globfree64 gmtime gmtime_r gmtime_s hasmntopt
    hcreate_r hdestroy_r heapsort hsearch hsearch_r hstrerror iconv iconv_close if_freenameindex if_indextoname
    if_nameindex index inet6_opt_append inet6_opt_find inet6_opt_finish inet6_opt_get_val inet6_opt_init
    inet6_opt_next inet6_opt_set_val inet6_option_alloc inet6_option_append inet6_option_find inet6_option_init
    inet6_option_next inet6_rth_add inet6_rth_getaddr inet6_rth_init inet6_rth_reverse inet_aton inet_net_ntop
    inet_net_pton inet_neta inet_nsap_addr inet_nsap_ntoa inet_ntoa inet_ntop inet_pton initstate initstate_r insque
    ioctl jrand48 jrand48_r klogctl l64a la_activity la_objclose la_objopen la_objsearch la_preinit la_symbind32
    la_symbind64 la_x32_gnu_pltenter la_x32_gnu_pltexit la_x86_64_gnu_pltenter la_x86_64_gnu_pltexit lcong48 lcong48_r
    lfind lgamma lgamma_r lgammaf lgammaf32_r lgammaf32x_r lgammaf64_r lgammaf64x_r lgammaf_r lgammal lgammal_r
    lgetxattr lio_listio lio_listio64 listxattr llistxattr localeconv localtime localtime_r localtime_s longjmp
    lrand48_r lsearch lstat lstat64 madvise makecontext malloc malloc_usable_size mbrlen mbrtoc16 mbrtoc32 mbrtoc8
    mbrtowc mbsnrtowcs mbsrtowcs mbsrtowcs_s mbstowcs mbstowcs_s mbtowc memalign memccpy memchr memcpy memcpy_s
    memfrob memmem memmove memmove_s mempcpy memrchr memset memset_explicit memset_s mergesort mincore mkdtemp
    mkostemp mkostemp64 mkostemps mkostemps64 mkstemp mkstemp64 mkstemps mkstemps64 mktemp mktime mmap mmap64 modf
    modff modff32 modff32x modff64 modff64x modfl mount_setattr mprotect mq_getattr mq_notify mq_open mq_receive
    mq_setattr mq_timedreceive mrand48_r mremap msgctl msgrcv msync mtx_destroy mtx_init mtx_lock mtx_timedlock
    mtx_trylock mtx_unlock munmap name_to_handle_at nanosleep nftw nftw64 nl_langinfo nl_langinfo_l nrand48 nrand48_r
    ns_datetosecs ns_format_ttl ns_initparse ns_makecanon ns_name_compress ns_name_ntol ns_name_ntop ns_name_pack
    ns_name_pton ns_name_rollback ns_name_skip ns_name_uncompress ns_name_unpack ns_parse_ttl ns_parserr ns_put16
    ns_put32 ns_sprintrr ns_sprintrrf obstack_free obstack_printf obstack_vprintf on_exit open_by_handle_at
    open_memstream open_wmemstream openpty parse_printf_format pipe pipe2 pkey_mprotect poll posix_madvise
    posix_memalign posix_spawn posix_spawn_file_actions_addchdir_np posix_spawn_file_actions_addclose
    posix_spawn_file_actions_addclosefrom_np posix_spawn_file_actions_adddup2 posix_spawn_file_actions_addfchdir_np
    posix_spawn_file_actions_addopen posix_spawn_file_actions_addtcsetpgrp_np posix_spawn_file_actions_destroy
    posix_spawn_file_actions_init posix_spawnattr_destroy posix_spawnattr_getflags posix_spawnattr_getpgroup
    posix_spawnattr_getschedparam posix_spawnattr_getschedpolicy posix_spawnattr_getsigdefault
    posix_spawnattr_getsigmask posix_spawnattr_init posix_spawnattr_setflags posix_spawnattr_setpgroup
    posix_spawnattr_setschedparam posix_spawnattr_setschedpolicy posix_spawnattr_setsigdefault
    posix_spawnattr_setsigmask posix_spawnp ppoll prctl pread pread64 preadv preadv2 preadv64 preadv64v2 printf
    printf_size printf_size_info prlimit prlimit64 process_vm_readv profil pselect pthread_sigmask ptrace ptsname
    ptsname_r putenv pututline pututxline pvalloc qecvt qecvt_r qfcvt qfcvt_r qgcvt qsort qsort_r qsort_s quotactl
    radixsort rand_r random_r rawmemchr rcmd rcmd_af re_compile_fastmap re_compile_pattern re_match re_match_2
    re_search re_search_2 re_set_registers read readdir readdir64 readdir64_r readdir_r readlink readlinkat readv
    realloc reallocarray realpath recv recvfrom recvmmsg recvmsg regcomp regerror regexec regfree
    register_printf_function register_printf_specifier register_printf_type remap_file_pages remque remquo remquof
    remquof32 remquof32x remquof64 remquof64x remquol res_mkquery res_nmkquery res_nquery res_nquerydomain res_nsearch
    res_nsend res_query res_querydomain res_search res_send rexec rexec_af rindex rresvport rresvport_af sbrk scandir
    scandir64 scandirat scandirat64 scanf scanf_s sched_getaffinity sched_getparam sched_rr_get_interval seed48
    seed48_r select sem_clockwait sem_close sem_destroy sem_getvalue sem_init sem_open sem_post sem_timedwait
    sem_trywait sem_wait semctl semop semtimedop sendfile sendfile64 sendmmsg setbuf setbuffer setcontext setitimer
    setjmp setlocale setmntent setmode setns setpayload setpayloadf setpayloadf32 setpayloadf32x setpayloadf64
    setpayloadf64x setpayloadl setpayloadsig setpayloadsigf setpayloadsigf32 setpayloadsigf32x setpayloadsigf64
    setpayloadsigf64x setpayloadsigl setstate setstate_r setvbuf sgetsgent sgetsgent_r sgetspent sgetspent_r shmat
    shmctl shmdt sigabbrev_np sigaction sigaddset sigaltstack sigandset sigdelset sigdescr_np sigemptyset sigfillset
    siglongjmp signal sigorset sigpending sigprocmask sigreturn sigset sigsetjmp sigstack sigtimedwait sigwait
    sigwaitinfo sincos sincosf sincosf32 sincosf32x sincosf64 sincosf64x sincosl snprintf snprintf_s socketpair splice
    sprintf sprintf_s srand48_r srandom_r sscanf sscanf_s ssignal stat stat64 statfs statfs64 statvfs statvfs64 statx
    stpcpy stpncpy strcasestr strcat strcat_s strchr strchrnul strcpy strcpy_s strdup strerror strerror_l strerror_r
    strerror_s strerrordesc_np strerrorname_np strfmon strfmon_l strfromd strfromf strfromf32 strfromf32x strfromf64
    strfromf64x strfroml strfry strftime strftime_l strlcat strlcpy strmode strncat strncat_s strncpy strncpy_s
    strndup strpbrk strptime strptime_l strrchr strsep strsignal strstr strtod strtod_l strtof strtof32 strtof32_l
    strtof32x strtof32x_l strtof64 strtof64_l strtof64x strtof64x_l strtof_l strtoimax strtok strtok_r strtok_s strtol
    strtol_l strtold strtold_l strtoll strtoll_l strtonum strtoq strtoul strtoul_l strtoull strtoull_l strtoumax
    strtouq strxfrm strxfrm_l swab swapcontext swapoff swprintf swscanf syscall sysinfo syslog sysv_signal tcgetattr
    tdelete tdestroy tempnam tfind thrd_create thrd_join thrd_sleep time timegm timelocal timer_create timer_delete
    timer_getoverrun timer_gettime timer_settime timerfd_gettime timerfd_settime times timespec_get timespec_getres
    tmpfile_s tmpnam tmpnam_r tmpnam_s tsearch tss_create tss_get tss_set ttyname ttyname_r twalk twalk_r tzset ulimit
    uname unshare valloc vasprintf vdprintf verr verrx versionsort versionsort64 vfork vfprintf vfscanf vfwprintf
    vfwscanf vprintf vscanf vsnprintf vsnprintf_s vsprintf vsprintf_s vsscanf vswprintf vswscanf vsyslog vwarn vwarnx
    vwprintf vwscanf wait wait3 wait4 waitid waitpid warn warnx wcpcpy wcpncpy wcrtomb wcrtomb_s wcscat wcschr
    wcschrnul wcscpy wcsdup wcsftime wcsftime_l wcslcat wcslcpy wcsncat wcsncpy wcsnrtombs wcspbrk wcsrchr wcsrtombs
    wcsrtombs_s wcsstr wcstod wcstod_l wcstof wcstof32 wcstof32_l wcstof32x wcstof32x_l wcstof64 wcstof64_l wcstof64x
    wcstof64x_l wcstof_l wcstoimax wcstok wcstol wcstol_l wcstold wcstold_l wcstoll wcstoll_l wcstombs wcstombs_s
    wcstoq wcstoul wcstoul_l wcstoull wcstoull_l wcstoumax wcstouq wcswcs wcsxfrm wcsxfrm_l wctomb wmemchr wmemcpy
    wmemmove wmempcpy wmemset wordexp wordfree wprintf wscanf
";

static TABLE: LazyLock<BTreeSet<&'static str>> = LazyLock::new(|| NAMES.split_whitespace().collect());

/// Whether a library function has effects besides its result.
#[must_use]
pub fn has_effects(name: &str) -> bool {
    TABLE.contains(name) || TABLE.contains(plain(name))
}

/// The name without what compilers and headers put around it: `__isoc99_sscanf`, `__builtin_strcpy`, `__sprintf_chk`.
fn plain(name: &str) -> &str {
    let prefixes = ["__isoc99_", "__isoc23_", "__builtin___", "__builtin_", "__GI_", "__"];
    let short = prefixes.iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name);
    short.strip_suffix("_chk").unwrap_or(short)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writers_are_known_by_all_their_names() {
        for name in [
            "strtol",
            "frexp",
            "modff",
            "mempcpy",
            "gettimeofday",
            "pipe",
            "strlcpy",
            "stpcpy",
            "sscanf",
            "asprintf",
            "getcwd",
            "gethostname",
            "localtime_r",
            "ctime",
            "strftime",
            "select",
            "poll",
            "stat",
            "qsort",
            "readv",
            "__isoc99_sscanf",
            "__strcpy_chk",
            "__builtin___memcpy_chk",
            "strchr",
            "fork",
        ] {
            assert!(has_effects(name), "{name}");
        }
    }

    #[test]
    fn others_are_not() {
        for name in ["abs", "isalpha", "close", "kmalloc", "printk", "sin", "getenv", "__errno_location", ""]
        {
            assert!(!has_effects(name), "{name}");
        }
    }

    #[test]
    fn the_table_is_sorted_and_has_no_name_twice() {
        let names: Vec<&str> = NAMES.split_whitespace().collect();
        assert!(names.is_sorted() && names.len() == TABLE.len());
    }
}
