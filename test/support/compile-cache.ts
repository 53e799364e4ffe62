/**
 * The setting by which a process that a test starts finds what others have compiled before it (see
 * global-setup.ts).
 */
export function compileCache(): { readonly NODE_COMPILE_CACHE?: string } {
  const path = process.env['NODE_COMPILE_CACHE'];
  return path === undefined ? {} : { NODE_COMPILE_CACHE: path };
}
