import { graphlib, layout } from '@dagrejs/dagre';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Neighbour } from '../api/operations.gen.ts';
import { STATUSES } from '../parts/status.tsx';

export interface GraphEdge {
  readonly from: Neighbour;
  readonly to: Neighbour;
  readonly policy: string;
}

const NODE = { width: 190, height: 56 };
const MAX_NODES = 200;

/** Jobs from left to right in the order in which they may run. */
export function JobGraph({
  nodes,
  edges,
  currentId,
}: {
  readonly nodes: readonly Neighbour[];
  readonly edges: readonly GraphEdge[];
  readonly currentId: string;
}) {
  const navigate = useNavigate();
  const placed = useMemo(() => place(nodes.slice(0, MAX_NODES), edges), [nodes, edges]);
  return (
    <div className="graph">
      <svg
        role="img"
        aria-label={`${nodes.length} jobs and what they wait for; the table below says the same`}
        width={placed.width}
        height={placed.height}
        viewBox={`0 0 ${placed.width} ${placed.height}`}
      >
        <defs>
          <marker
            id="arrow"
            viewBox="0 0 8 8"
            refX="8"
            refY="4"
            markerWidth="7"
            markerHeight="7"
            orient="auto"
          >
            <path d="M0 0L8 4L0 8z" className="graph-arrow" />
          </marker>
        </defs>
        {placed.edges.map(({ key, path, at, policy }) => (
          <g key={key}>
            <path d={path} className="graph-edge" markerEnd="url(#arrow)" />
            <text x={at.x} y={at.y - 6} className="graph-policy">
              {policy.toLowerCase()}
            </text>
          </g>
        ))}
        {placed.nodes.map(({ job, x, y }) => {
          const { word, tone } = STATUSES[job.status];
          return (
            // biome-ignore lint/a11y/noStaticElementInteractions: for a pointer; the table beside it has the links
            <g
              key={job.id}
              transform={`translate(${x} ${y})`}
              className={`graph-node tone-${tone}${job.id === currentId ? ' current' : ''}`}
              onClick={() =>
                void navigate({ to: '/jobs/$jobId', params: { jobId: job.uuid }, search: { tab: 'graph' } })
              }
            >
              <rect {...NODE} rx="10" />
              <circle cx="18" cy="20" r="4.5" />
              <text x="32" y="24" className="graph-name">
                {job.definition.key}
              </text>
              <text x="32" y="42" className="graph-state">
                {word} · {job.uuid.slice(-8)}
              </text>
            </g>
          );
        })}
      </svg>
    </div>
  );
}

function place(nodes: readonly Neighbour[], edges: readonly GraphEdge[]) {
  const graph = new graphlib.Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: 18, ranksep: 84, marginx: 20, marginy: 24 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id } of nodes) graph.setNode(id, { ...NODE });
  for (const { from, to } of edges)
    if (graph.hasNode(from.id) && graph.hasNode(to.id)) graph.setEdge(from.id, to.id);
  layout(graph);
  const size = graph.graph() as { width?: number; height?: number };
  return {
    width: size.width ?? NODE.width,
    height: size.height ?? NODE.height,
    nodes: nodes.map((job) => {
      const { x, y } = graph.node(job.id) as { x: number; y: number };
      return { job, x: x - NODE.width / 2, y: y - NODE.height / 2 };
    }),
    edges: edges.flatMap(({ from, to, policy }) => {
      if (!graph.hasEdge(from.id, to.id)) return [];
      const { points } = graph.edge(from.id, to.id) as { points: readonly { x: number; y: number }[] };
      const path = points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join('');
      const at = points[Math.floor(points.length / 2)] ?? { x: 0, y: 0 };
      return [{ key: `${from.id} ${to.id}`, path, at, policy }];
    }),
  };
}
