/**
 * How large an operation may be, on every transport alike. Numbers of our own clients' largest documents times four;
 * more than 1,000 tokens would let nested lists overflow the parser's stack [seen at 2,000].
 */
export const MAX_TOKENS = 1_000;
export const MAX_DEPTH = 12;
export const MAX_ALIASES = 50;
/** Fields after all fragments are spread. */
export const MAX_FIELDS = 500;
/** Cost with page sizes multiplied in. A page of 100 jobs with every field of theirs, their definition and attempts fits. */
export const MAX_COMPLEXITY = 20_000;
/** Global ids that one `nodes` may ask for. */
export const MAX_NODES = 1_000;
/** Bytes of a request body or a socket message: room for a payload of 1 MiB and its document. */
export const MAX_MESSAGE_BYTES = 2 * 1024 * 1024;
/** Operations that one socket may have open at a time. */
export const MAX_SOCKET_OPERATIONS = 1_000;
