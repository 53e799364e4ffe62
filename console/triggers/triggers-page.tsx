export function TriggersPage() {
  return <h1>TriggersPage</h1>;
}
