import { parseArgs } from 'node:util'
import { counted } from '../../server/cli/command.ts'
import { startReceiver } from '../../server/test/network/receiver.ts'
import { type Checkout, checkoutOf, releases, thisVersion } from './checkout.ts'
import { between, mayGoBack } from './history.ts'
import { killAtStart, killInMigration } from './kills.ts'
import { prepare } from './scenario.ts'
import { type Outcome, restores, upgrade } from './steps.ts'

/**
 * `npm run upgrade-test [-- --from <git ref> …] [--all] [--kills N]`: starts an earlier version, fills it through HTTP,
 * and starts this version on the same data folder; also after kills, back again, and from a backup. Without --from it
 * takes the newest release, with --all every release; before the first release, an earlier revision of main. Exits with 1 if anything differs.
 */
const { values } = parseArgs({
  options: {
    from: { type: 'string', multiple: true },
    all: { type: 'boolean', default: false },
    kills: { type: 'string', default: '6' },
  },
})
const SHOWN = 10

async function compare(earlier: Checkout, later: Checkout): Promise<boolean> {
  const migrations = between(earlier, later)
  console.log(`\n${earlier.name}, version ${earlier.version} -> ${later.name}, version ${later.version}`)
  console.log(
    migrations.length > 0
      ? `  ${counted(migrations.length, 'migration')} between them: ${migrations.map(({ name }) => name).join(', ')}`
      : '  no migration between them',
  )
  console.log(`  going back is ${mayGoBack(earlier, later) ? 'allowed' : 'refused: a migration excludes it'}`)
  const receiver = await startReceiver()
  const scenario = await prepare(earlier, later, receiver)
  console.log(`  the earlier version is filled: ${scenario.before.size} requests are compared`)
  try {
    const steps = [
      () => upgrade(scenario),
      () => restores(scenario),
      () => killInMigration(scenario, false),
      () => killInMigration(scenario, true),
      () => killAtStart(scenario, Number(values.kills)),
    ]
    let isFine = true
    for (const step of steps) for (const outcome of await step()) isFine = report(outcome) && isFine
    return isFine
  } finally {
    await scenario.remove()
    await receiver.stop()
  }
}

function report({ step, faults }: Outcome): boolean {
  console.log(`  ${faults.length === 0 ? 'ok    ' : 'FAILED'} ${step}`)
  for (const fault of faults.slice(0, SHOWN)) console.log(`           ${fault.slice(0, 300)}`)
  if (faults.length > SHOWN) console.log(`           and ${faults.length - SHOWN} more`)
  return faults.length === 0
}

const released = releases()
const refs = values.from ?? (values.all ? released : released.slice(0, 1))
const later = await thisVersion()
let isFine = true
for (const ref of refs)
  try {
    const earlier = await checkoutOf(ref)
    isFine = (await compare(earlier, later).finally(earlier.remove)) && isFine
  } catch (error) {
    console.error(`  FAILED ${ref}: ${(error as Error).message}`)
    isFine = false
  }
// A connection that broke may keep the process alive.
process.exit(isFine ? 0 : 1)
