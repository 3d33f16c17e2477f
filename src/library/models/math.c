// Floating-point numbers (C11 7.12): what needs no more than comparisons, the sign, and roundings that LLVM has. Where a class is true, glibc's value is given: 1, and −1 for minus infinity.

int *__errno_location(void);
int boolero_nondet_zero(void);

double fabs(double x) {
    return __builtin_fabs(x);
}

float fabsf(float x) {
    return __builtin_fabsf(x);
}

// A negative number has no root, and sets errno (EDOM).
double sqrt(double x) {
    if (x < 0)
        *__errno_location() = 33;
    return __builtin_elementwise_sqrt(x);
}

float sqrtf(float x) {
    if (x < 0)
        *__errno_location() = 33;
    return __builtin_elementwise_sqrt(x);
}

double floor(double x) {
    return __builtin_elementwise_floor(x);
}

float floorf(float x) {
    return __builtin_elementwise_floor(x);
}

double ceil(double x) {
    return __builtin_elementwise_ceil(x);
}

float ceilf(float x) {
    return __builtin_elementwise_ceil(x);
}

double trunc(double x) {
    return __builtin_elementwise_trunc(x);
}

float truncf(float x) {
    return __builtin_elementwise_trunc(x);
}

double round(double x) {
    return __builtin_elementwise_round(x);
}

float roundf(float x) {
    return __builtin_elementwise_round(x);
}

double rint(double x) {
    return __builtin_elementwise_roundeven(x);
}

float rintf(float x) {
    return __builtin_elementwise_roundeven(x);
}

double nearbyint(double x) {
    return __builtin_elementwise_roundeven(x);
}

float nearbyintf(float x) {
    return __builtin_elementwise_roundeven(x);
}

double copysign(double x, double y) {
    return __builtin_copysign(x, y);
}

float copysignf(float x, float y) {
    return __builtin_copysignf(x, y);
}

// Of zero and minus zero, either may be the smaller or the larger one.
double fmin(double x, double y) {
    if (x != x)
        return y;
    if (x == y)
        return boolero_nondet_zero() ? x : y;
    return y < x ? y : x;
}

float fminf(float x, float y) {
    if (x != x)
        return y;
    if (x == y)
        return boolero_nondet_zero() ? x : y;
    return y < x ? y : x;
}

double fmax(double x, double y) {
    if (x != x)
        return y;
    if (x == y)
        return boolero_nondet_zero() ? x : y;
    return y > x ? y : x;
}

float fmaxf(float x, float y) {
    if (x != x)
        return y;
    if (x == y)
        return boolero_nondet_zero() ? x : y;
    return y > x ? y : x;
}

// A difference that is too large sets errno (ERANGE).
double fdim(double x, double y) {
    if (x <= y)
        return 0;
    double difference = x - y;
    if (__builtin_isinf(difference) && !__builtin_isinf(x) && !__builtin_isinf(y))
        *__errno_location() = 34;
    return difference;
}

float fdimf(float x, float y) {
    if (x <= y)
        return 0;
    float difference = x - y;
    if (__builtin_isinf(difference) && !__builtin_isinf(x) && !__builtin_isinf(y))
        *__errno_location() = 34;
    return difference;
}

int isnan(double x) {
    return x != x;
}

int isnanf(float x) {
    return x != x;
}

int __isnan(double x) {
    return x != x;
}

int __isnanf(float x) {
    return x != x;
}

int isinf(double x) {
    return __builtin_isinf(x) ? x < 0 ? -1 : 1 : 0;
}

int isinff(float x) {
    return __builtin_isinf(x) ? x < 0 ? -1 : 1 : 0;
}

int __isinf(double x) {
    return __builtin_isinf(x) ? x < 0 ? -1 : 1 : 0;
}

int __isinff(float x) {
    return __builtin_isinf(x) ? x < 0 ? -1 : 1 : 0;
}

int finite(double x) {
    return __builtin_isfinite(x);
}

int __finite(double x) {
    return __builtin_isfinite(x);
}

int __finitef(float x) {
    return __builtin_isfinite(x);
}

// glibc gives some bit of the number: any value but zero.
int __signbit(double x) {
    int value = boolero_nondet_zero();
    return !__builtin_signbit(x) ? 0 : value != 0 ? value : 1;
}

int __signbitf(float x) {
    int value = boolero_nondet_zero();
    return !__builtin_signbit(x) ? 0 : value != 0 ? value : 1;
}

int __fpclassify(double x) {
    return __builtin_fpclassify(0, 1, 4, 3, 2, x);
}

int __fpclassifyf(float x) {
    return __builtin_fpclassify(0, 1, 4, 3, 2, x);
}
