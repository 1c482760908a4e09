/** Ends a service that a test file started. */
type Stop = () => Promise<void>

/**
 * Services that run, in the order of their start. A file with only skipped tests starts its services on import, but
 * runs no hook that stops them.
 */
export const leftServices = new Set<Stop>()

/** Stops what the file before left. Files share a process, one after the other. */
export async function stopLeftServices(): Promise<void> {
  for (const stop of [...leftServices].reverse()) await stop()
}
