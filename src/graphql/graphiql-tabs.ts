/**
 * Example documents of the playground. Each works as it is with a member's token, but canceling many and the
 * upload, which take an admin's.
 */
export const EXAMPLE_TABS: readonly { readonly query: string; readonly variables?: string }[] = [
  {
    query: `# Who am I? If this says Unauthenticated, put a token into "Headers" below:
#   { "Authorization": "Bearer <token>" }
# The demo prints one; "npm run -s millrace -- token create --help" makes others.
query Viewer {
  viewer { name role expiresAt tenant { uuid slug name } }
}
`,
  },
  {
    query: `# Put a job into the queue. "echo" says its message in steps; watch it in the tab "Watch".
mutation EnqueueEcho {
  enqueueJob(input: {
    definition: "echo"
    payload: { message: "Hello", steps: 10, durationMs: 10000 }
  }) {
    __typename
    ... on EnqueueJobPayload { isNew job { id status createdAt } }
    ... on DomainFailure { code message field allowed }
    ... on InvalidPayloadError { problems { field message allowed } }
  }
}
`,
  },
  {
    query: `# The newest jobs, a page at a time.
query Jobs($first: Int = 20, $after: String) {
  jobs(first: $first, after: $after, filter: { statuses: [QUEUED, RUNNING, SUCCEEDED, FAILED] }) {
    edges {
      node {
        id status createdAt finishedAt result
        definition { key }
        progress { percent stage message }
        error { type message }
        attempts { attemptNo status wallMs }
      }
    }
    pageInfo { hasNextPage endCursor }
  }
}
`,
  },
  {
    query: `# Every change of every job, live. Leave it running and enqueue one in the tab "EnqueueEcho".
# After a broken connection go on with: jobChanges(after: "<last cursor>")
subscription Watch {
  jobChanges {
    __typename
    ... on JobUpdated {
      cursor
      job { id version status definition { key } progress { percent message } result error { message } }
    }
    ... on JobLeft { jobId cursor }
    ... on JobRemoved { jobId cursor }
    ... on FeedReady { isComplete cursor }
    ... on FeedCheckpoint { cursor }
    ... on ResyncRequired { reason }
  }
}
`,
  },
  {
    query: `# Many jobs in one call, with a result for each: the second has a wrong payload and fails nobody else.
# The first says what it waits for; then all that is left of the batch is canceled.
mutation Batch {
  enqueueJobs(input: { jobs: [
    { definition: "echo", payload: { message: "later" }, correlationId: "batch-1", scheduledFor: "2099-01-01T00:00:00Z" }
    { definition: "echo", payload: { message: 42 } }
  ] }) {
    ... on EnqueueJobsPayload {
      results {
        __typename
        ... on EnqueueJobPayload { isNew job { id status waitingFor { reason message endsAt } } }
        ... on DomainFailure { code message field allowed }
      }
    }
    ... on DomainFailure { code message }
  }
  cancelJobs(input: { filter: { correlationId: "batch-1" }, reason: "Only tried out" }) {
    ... on CancelJobsPayload { matchedCount canceledCount requestedCount skipped { reason count } }
    ... on DomainFailure { code message field allowed }
  }
}
`,
  },
  {
    query: `# Upload a video in three steps:
# 1. Run CreateVideo.
# 2. Put the file to upload.url:   curl -T video.mp4 '<upload.url>'
# 3. Copy video.id into the variables and run CompleteUpload.
mutation CreateVideo {
  createVideo(input: { title: "My video", fileName: "video.mp4" }) {
    ... on CreateVideoPayload { video { id status } upload { method url expiresAt } }
    ... on DomainFailure { code message field allowed }
  }
}

mutation CompleteUpload($id: ID!) {
  completeVideoUpload(input: { videoId: $id }) {
    ... on CompleteVideoUploadPayload { isNew video { id status } job { id status } }
    ... on DomainFailure { code message field allowed }
  }
}

query Videos {
  videos(first: 10) {
    edges { node { id title status error { message } progress { percent stage } urls { playlist poster original } } }
  }
}
`,
    variables: '{ "id": "Video:…" }',
  },
  {
    query: `# Search what was read in the pictures of all videos: words, "phrases", beginnings (whe*), -without, @name, #tag.
# A mistyped or misread letter does not matter. Each hit has its time, its place and a picture.
query Search($query: String! = "watr wheel") {
  searchVideos(query: $query, first: 5) {
    videoCount
    hitCount
    edges {
      node { id title status durationMs }
      hitCount
      hits {
        score
        segment { text startMs endMs thumbnailUrl box { x y width height } }
        highlights { text box { x y width height } }
      }
    }
  }
}

# A clip of a hit: copy its video's id and times into the variables. Run it again until url is there, or watch clipChanged.
mutation Clip($video: ID! = "Video:…", $from: Int! = 1500, $to: Int! = 3000) {
  requestClip(input: { videoId: $video, startMs: $from, endMs: $to }) {
    ... on RequestClipPayload { isNew clip { id status url startMs endMs } }
    ... on DomainFailure { code message field allowed }
  }
}
`,
  },
  {
    query: `# How far the newest videos are on their way from upload to search, with every stage.
# Live for one of them: subscription { videoChanged(id: "Video:…") { status pipeline { percent etaSeconds stage } } }
query Pipelines {
  videos(first: 5) {
    edges {
      node {
        id title status error { message }
        pipeline { percent etaSeconds stage stages { stage status percent etaSeconds startedAt finishedAt } }
      }
    }
  }
}
`,
  },
];
