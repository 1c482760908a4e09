import { join } from 'node:path'
import type { Metrics } from '../metrics.ts'
import { allMetrics } from './all-metrics.ts'
import { connectToCoordinator } from './coordinator.ts'
import { createServingProcesses } from './serving-processes.ts'

/** The part of a process in an installation with several serving processes on one machine. */
export type ProcessPart = {
  part: 'coordinator' | 'serving'
  /** Names the process in metrics; that of a killed process is used again. */
  name: string
  /** Of the socket file. Only this user can enter it. */
  folder: string
}

type Deps = {
  metrics: Metrics
  /** Called in the coordinator with the address that serving processes listen on. */
  listensOn: (address: string) => void
}

/** Connects this process with the others of its machine. Nothing connects before `start`. */
export function createProcesses({ part, name, folder }: ProcessPart, { metrics, listensOn }: Deps) {
  const socket = join(folder, 'coordinator')
  const coordinator = part === 'serving' ? connectToCoordinator(socket) : undefined
  const servingProcesses = part === 'coordinator' ? createServingProcesses() : undefined
  if (coordinator)
    metrics.gauge('cairn_coordinator_connected', '1 while this process is connected with the coordinator', () =>
      Number(coordinator.isConnected()),
    )
  servingProcesses?.answer('listensOn', listensOn)
  return {
    coordinator,
    servingProcesses,
    metrics: allMetrics({ name, metrics, coordinator, servingProcesses }),
    /** For serving processes: call it before the first request. */
    connect: async (): Promise<void> => coordinator?.start(),
    /** For serving processes: call it with their address before they answer a request. */
    listensOn(address: string): void {
      coordinator?.notify('listensOn', address)
      coordinator?.whenConnected(() => coordinator.notify('listensOn', address))
    },
    /** For the coordinator: call it once it can answer. */
    listen: async (): Promise<void> => servingProcesses?.listen(socket),
    stop(): void {
      coordinator?.stop()
      servingProcesses?.close()
    },
  }
}
