const PARAGRAPH =
  'Postgres keeps jobs in a table, and workers claim them with a lease. When a worker dies, its lease ends and another worker takes the job. ' +
  'The queue in Berlin is watched by Ada Lovelace, who wrote about leases in Postgres. Leases make durable queues simple. ';

/** A page as many blogs have it. */
export const ARTICLE = `<!doctype html><html lang="en"><head><title>Old title</title>
<meta property="og:title" content="Queues in Postgres"><meta property="og:site_name" content="The Queue Blog">
<meta name="description" content="How leases make queues durable."><meta name="author" content="Ada">
<meta property="article:published_time" content="2024-05-01T10:00:00Z"><link rel="canonical" href="/posts/queues">
<link rel="alternate" type="application/json+oembed" href="/oembed.json"></head>
<body><nav>Home About</nav><article><h1>Queues in Postgres</h1>${`<p>${PARAGRAPH}</p>`.repeat(6)}</article></body></html>`;

/** A video's page that links its captions. */
export const VIDEO = `<!doctype html><html lang="en"><head><meta property="og:title" content="A talk about bees">
<script type="application/ld+json">{"@context":"https://schema.org","@type":"VideoObject","name":"Bees","duration":"PT1M5S","uploadDate":"2023-01-02"}</script>
</head><body><video src="x.mp4"><track kind="captions" srclang="de" src="/de.vtt"><track kind="captions" srclang="en" src="/en.vtt"></video></body></html>`;

export const CAPTIONS = `WEBVTT

00:00.000 --> 00:04.000
Honey bees dance to say where the flowers are.

2
00:00:04.000 --> 00:00:08.500 align:start
<c.yellow>The hive reads the dance</c> and flies there.
`;

/** A page that says nothing of itself but where its oEmbed is. */
export const EMBEDDED = `<!doctype html><html><head><link rel="alternate" type="application/json+oembed" href="/oembed.json"></head>
<body><article><p>${PARAGRAPH}</p><p>${PARAGRAPH}</p></article></body></html>`;

export const NOTHING = `<!doctype html><html><head><title>Just a picture</title></head><body><img src="a.png"></body></html>`;
