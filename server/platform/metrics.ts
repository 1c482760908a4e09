import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export type Metrics = ReturnType<typeof createMetrics>

/** Prometheus metrics of this process. Each call creates its own registry, so that tests can run several services. */
export function createMetrics() {
  const registry = new Registry()
  // Sampling interval in milliseconds: the default of 10 wakes an idle process 100 times a second.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 })
  const requests = new Histogram({
    name: 'cairn_http_request_seconds',
    help: 'Response time, by method, route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30],
    registers: [registry],
  })
  const kinds = new Map<string, Histogram.Internal<'method' | 'route' | 'status'>>()
  return {
    /** Label lookups cost more than counting, so the child of each label set is cached. */
    observeRequest(method: string, route: string, status: number, seconds: number) {
      const kind = `${status} ${method} ${route}`
      const child = kinds.get(kind) ?? requests.labels(method, route, String(status))
      kinds.set(kind, child)
      child.observe(seconds)
    },
    counter: (name: string, help: string, labelNames: string[] = []) =>
      new Counter({ name, help, labelNames, registers: [registry] }),
    gauge: (name: string, help: string, collect: () => number) =>
      new Gauge({
        name,
        help,
        registers: [registry],
        collect() {
          this.set(collect())
        },
      }),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}
