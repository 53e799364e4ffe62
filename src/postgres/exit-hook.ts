const signalByPid = new Map<number, NodeJS.Signals>();
let installed = false;

/**
 * Makes sure that a child process in a group of its own does not outlive this process when that ends by
 * `process.exit` or an uncaught error. (A SIGKILL of this process leaves the child to the next start.)
 *
 * @param pid leader of the child's process group
 * @returns call it once the child is gone, so that a later process with its pid is left alone
 */
export function killGroupAtExit(pid: number, signal: NodeJS.Signals): () => void {
  if (!installed) {
    installed = true;
    process.on('exit', () => {
      for (const [child, childSignal] of signalByPid) signalGroup(child, childSignal);
    });
  }
  signalByPid.set(pid, signal);
  return () => signalByPid.delete(pid);
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    // Already gone.
  }
}
