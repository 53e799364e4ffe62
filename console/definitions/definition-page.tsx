export function DefinitionPage() {
  return <h1>DefinitionPage</h1>;
}
