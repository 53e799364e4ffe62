export function DefinitionsPage() {
  return <h1>DefinitionsPage</h1>;
}
