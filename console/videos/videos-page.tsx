export function VideosPage() {
  return <h1>VideosPage</h1>;
}
