export const box = {
  failedJobs: (n: number) => (n === 1 ? 'job failed' : 'jobs failed'),
}
