/** Ends a service that a test file started. */
type Stop = () => Promise<void>

/**
 * Services that run, in the order of their start. A file may start its services on import. If a filter then skips all of
 * its tests, as `npm run test:long` does in most files, no hook stops them.
 */
export const leftServices = new Set<Stop>()

/** Stops what the file before left. Files share a process, one after the other. */
export async function stopLeftServices(): Promise<void> {
  for (const stop of [...leftServices].reverse()) await stop()
}
