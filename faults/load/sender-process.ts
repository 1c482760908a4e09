import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from './client.ts'
import type { Order } from './sender.ts'
import { steadyTraffic } from './steady-traffic.ts'

/** Sends what the parent orders, and answers each order with its result. */
const client = createClient(() => process.argv[2]!)
let isOver = false
process.on('message', async (order: Order) => {
  if (order.kind === 'stop') isOver = true
  else process.send!(await (order.kind === 'steady' ? steady(order) : flood(order)))
})
process.on('disconnect', () => process.exit())

function steady({ calls, ...rate }: Order & { kind: 'steady' }) {
  let turn = 0
  return steadyTraffic(client, { ...rate, calls: () => calls[turn++ % calls.length]! })
}

/** @returns the number of responses by status */
async function flood({ calls, clients }: Order & { kind: 'flood' }): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {}
  let turn = 0
  const sendNext = async () => {
    while (!isOver) {
      const { status } = await client.send(calls[turn++ % calls.length]!)
      statuses[status] = (statuses[status] ?? 0) + 1
      if (status !== 200) await sleep(100)
    }
  }
  await Promise.all(Array.from({ length: clients }, sendNext))
  return statuses
}
