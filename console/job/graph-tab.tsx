import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import type { Neighbour } from '../api/operations.gen.ts';
import { Empty, Skeleton } from '../parts/notes.tsx';
import { StatusBadge } from '../parts/status.tsx';
import type { GraphEdge } from './job-graph.tsx';
import type { Detail } from './use-job-detail.ts';

const JobGraph = lazy(async () => ({ default: (await import('./job-graph.tsx')).JobGraph }));

/** What it waits for and what waits for it, two steps far: as a graph, and as a table for everybody. */
export function GraphTab({ job }: { readonly job: Detail }) {
  const edges = edgesOf(job);
  const nodes = new Map<string, Neighbour>([[job.id, job]]);
  for (const { from, to } of edges) nodes.set(from.id, from).set(to.id, to);
  if (edges.length === 0)
    return (
      <Empty title="It depends on no job">
        <p>And no job waits for it.</p>
      </Empty>
    );
  return (
    <div className="stack">
      <section className="card" aria-label="Graph">
        <Suspense fallback={<Skeleton rows={4} />}>
          <JobGraph nodes={[...nodes.values()]} edges={edges} currentId={job.id} />
        </Suspense>
      </section>
      <section className="card" aria-label="Dependencies as a table">
        <div className="table-scroll">
          <table className="table">
            <thead>
              <tr>
                <th>Job</th>
                <th>State</th>
                <th>Waits for</th>
                <th>If that fails</th>
              </tr>
            </thead>
            <tbody>
              {edges.map(({ from, to, policy }) => (
                <tr key={`${from.id} ${to.id}`}>
                  <td>
                    <JobLink job={to} />
                  </td>
                  <td>
                    <StatusBadge status={to.status} />
                  </td>
                  <td>
                    <JobLink job={from} />
                  </td>
                  <td>{policy.toLowerCase()}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </section>
    </div>
  );
}

function JobLink({ job }: { readonly job: Neighbour }) {
  return (
    <Link to="/jobs/$jobId" params={{ jobId: job.uuid }} search={{ tab: 'graph' }}>
      {job.definition.key} <span className="mono muted">{job.uuid.slice(-8)}</span>
    </Link>
  );
}

function edgesOf(job: Detail): readonly GraphEdge[] {
  const edges = new Map<string, GraphEdge>();
  const add = (from: Neighbour, to: Neighbour, policy: string): void => {
    edges.set(`${from.id} ${to.id}`, { from, to, policy });
  };
  for (const { job: parent, policy } of job.dependsOn) {
    add(parent, job, policy);
    for (const above of parent.dependsOn) add(above.job, parent, above.policy);
  }
  for (const { job: child, policy } of job.dependents) {
    add(job, child, policy);
    for (const below of child.dependents) add(child, below.job, below.policy);
  }
  return [...edges.values()];
}
