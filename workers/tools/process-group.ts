/**
 * Sends a signal to a process group of ours. That it is already gone is no error; nor is a member that we may
 * not signal (a set-user-id program), since nothing more can be done about it.
 * @param groupId the id of the group's first process, which was started detached
 */
export function signalGroup(groupId: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-groupId, signal);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}
