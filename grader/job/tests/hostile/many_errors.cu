// Hostile: half a million error messages.
#define A(x) x x x x x x x x
#define B(x) A(A(A(x)))
#define C(x) B(B(x))
C(int a[unknown];) C(int a[unknown];)
