export function WorkersPage() {
  return <h1>WorkersPage</h1>;
}
