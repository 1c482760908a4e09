import type { Metrics } from '../metrics.ts'
import type { Coordinator } from './coordinator.ts'
import type { ServingProcesses } from './serving-processes.ts'

/** The metrics of one process, and its name. */
type Report = { process: string; text: string }

/** One process does not wait longer for the metrics of the others, and the coordinator for those of each. */
const PATIENCE_MS = 2_000
const EACH_MS = 1_000

type Deps = {
  name: string
  metrics: Metrics
  coordinator: Coordinator | undefined
  servingProcesses: ServingProcesses | undefined
}

/**
 * Reports the metrics of all processes of this machine, whichever is asked: each sample has the label `process`. Without
 * the coordinator, those of this process.
 */
export function allMetrics({
  name,
  metrics,
  coordinator,
  servingProcesses,
}: Deps): Pick<Metrics, 'text' | 'contentType'> {
  const own = async (): Promise<Report> => ({ process: name, text: await metrics.text() })
  coordinator?.answer('metrics', own)
  servingProcesses?.answer('metrics', async () => [
    await own(),
    ...(await servingProcesses.askAll<Report>(EACH_MS, 'metrics')),
  ])
  return {
    contentType: metrics.contentType,
    text: async () => merge((await coordinator?.askWithin<Report[]>(PATIENCE_MS, 'metrics')) ?? [await own()]),
  }
}

/** Joins reports in Prometheus' text format, in which all samples of a metric stand together. */
function merge(reports: Report[]): string {
  const metrics = new Map<string, { head: string[]; samples: string[] }>()
  for (const { process, text } of reports) {
    let metric = { head: [] as string[], samples: [] as string[] }
    for (const line of text.split('\n')) {
      const [, name] = /^# HELP (\S+)/.exec(line) ?? []
      if (name !== undefined) {
        metric = metrics.get(name) ?? { head: [], samples: [] }
        metrics.set(name, metric)
      }
      if (line.startsWith('#')) {
        if (metric.head.length < 2) metric.head.push(line)
      } else if (line) metric.samples.push(labelled(line, process))
    }
  }
  return [...metrics.values()].map(({ head, samples }) => `${[...head, ...samples].join('\n')}\n`).join('\n')
}

const labelled = (sample: string, process: string): string =>
  sample.replace(/^([\w:]+)(?:\{(.*?)\})?(?= \S+$)/, (_all, name, labels) =>
    labels ? `${name}{process="${process}",${labels}}` : `${name}{process="${process}"}`,
  )
