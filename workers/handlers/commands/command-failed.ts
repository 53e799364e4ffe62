/** A command did not do its work: its job is tried again as long as it has attempts. */
export class CommandFailed extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CommandFailed';
  }
}
