/** Series of a metrics page by name and labels, as printed: `name{a="b"}`. */
export type MetricsPage = ReadonlyMap<string, number>;

/** Reads a metrics page. */
export async function readMetrics(
  url: string,
  token: string | null,
): Promise<{ readonly status: number; readonly text: string; readonly page: MetricsPage }> {
  const response = await fetch(url, {
    headers: { connection: 'close', ...(token !== null && { authorization: `Bearer ${token}` }) },
  });
  const text = await response.text();
  const series = text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line): [string, number] => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end), Number(line.slice(end + 1))];
    });
  return { status: response.status, text, page: new Map(series) };
}
