import { execFile } from 'node:child_process'

/** The state of this process, in the words of `sd_notify(3)`. */
type State = 'READY=1' | 'STOPPING=1'

/**
 * Returns a function that tells systemd the state of this process. It does nothing if systemd did not start the process
 * with `Type=notify`. Removes NOTIFY_SOCKET from the environment, so that no child process reports a state. A state
 * that cannot be sent is ignored: systemd then waits for its timeout and logs that.
 */
export function serviceManager(): (state: State) => Promise<void> {
  const { NOTIFY_SOCKET } = process.env
  delete process.env.NOTIFY_SOCKET
  // Node has no datagram sockets of the file system.
  return (state) =>
    new Promise((resolve) => {
      if (!NOTIFY_SOCKET) return resolve()
      execFile('systemd-notify', [state], { env: { ...process.env, NOTIFY_SOCKET } }, () => resolve())
    })
}
