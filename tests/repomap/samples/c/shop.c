#include "till.h"
#define LIMIT 3
#define TWICE(x) ((x) * 2)
struct basket { int lines; };
typedef struct { int price; } line_t;
static int checkout(struct basket *basket) { return TWICE(basket->lines); }
char *name_of(line_t *line);
char *name_of(line_t *line) { return 0; }
