import { build } from 'vite';

export interface Bundle {
  readonly code: string;
  /** Files that are in it. */
  readonly modules: readonly string[];
  /** What it still imports. */
  readonly imports: readonly string[];
}

/**
 * Bundles a module for browsers, as a frontend does. @param options.external packages that are left outside
 */
export async function bundleForBrowser(
  entry: string,
  options: { readonly external?: readonly RegExp[]; readonly isMinified?: boolean } = {},
): Promise<Bundle> {
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      minify: options.isMinified ?? true,
      target: 'es2022',
      lib: { entry, formats: ['es'], fileName: 'bundle' },
      rollupOptions: { external: [...(options.external ?? [])] },
    },
  });
  const [output] = Array.isArray(result) ? result : [result];
  const chunk = output !== undefined && 'output' in output ? output.output[0] : undefined;
  if (chunk === undefined) throw new Error('vite gave no bundle');
  return {
    code: chunk.code,
    modules: Object.keys(chunk.modules),
    imports: [...chunk.imports, ...chunk.dynamicImports],
  };
}
