export function SchedulesPage() {
  return <h1>SchedulesPage</h1>;
}
