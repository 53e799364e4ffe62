export function JobPage() {
  return <h1>JobPage</h1>;
}
