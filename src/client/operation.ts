/** A document with the types of what it takes and gives. */
export interface Operation<Result, Variables> {
  readonly name: string;
  readonly text: string;
  /** For the compiler only. */
  readonly types?: (variables: Variables) => Result;
}
