import { Link } from '@tanstack/react-router';
import { Empty } from '../parts/notes.tsx';

export function NotFound() {
  return (
    <Empty title="There is no such page">
      <p>
        <Link to="/jobs" search={{}}>
          Go to the jobs
        </Link>
      </p>
    </Empty>
  );
}
