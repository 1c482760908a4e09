import { appOf, eventually } from './fill.ts'
import { mayGoBack } from './history.ts'
import { type Answers, differences, readAll } from './read.ts'
import { onCopy, onRestored, type Scenario, wholeIn } from './scenario.ts'
import { command, during, type Place, start, stop } from './service.ts'

/** The outcome of a step: its findings and faults. */
export type Outcome = { step: string; faults: string[] }

/** The later version responds as the earlier one did and accepts writes; the earlier one starts again if it may. */
export async function upgrade(scenario: Scenario): Promise<Outcome[]> {
  const { earlier, later } = scenario
  return onCopy(scenario, async (place) => {
    const faults = await wholeIn(scenario, later, place)
    const worked = await during(later, place, (url) => playOn(scenario, url, 2000))
    return [
      { step: 'the later version starts on the folder, and answers as the earlier one did', faults },
      { step: 'the later version writes scores and sends their events', faults: [] },
      mayGoBack(earlier, later) ? await goBack(scenario, place, worked) : await refuseToGoBack(scenario, place),
    ]
  })
}

/** The earlier version reads what the later one wrote, and the later one what the earlier one wrote afterwards. */
async function goBack(scenario: Scenario, place: Place, worked: Answers): Promise<Outcome> {
  const { earlier, later, filled } = scenario
  const back = await during(earlier, place, async (url) => {
    // The earlier version may lack members that the later one has.
    const faults = differences(await readAll(url, filled), worked)
    return { faults, answers: await playOn(scenario, url, 3000) }
  })
  const again = await during(later, place, async (url) => differences(back.answers, await readAll(url, filled)))
  return {
    step: 'the earlier version starts again on the folder, and the later one after that',
    faults: [...back.faults, ...again],
  }
}

/** The earlier version refuses to start with an error message, and changes nothing. */
async function refuseToGoBack({ earlier, later, filled }: Scenario, place: Place): Promise<Outcome> {
  const step = 'the earlier version refuses the migrated folder with a sentence, and harms nothing'
  const before = await during(later, place, (url) => readAll(url, filled))
  const refused = await start(earlier, place).then(
    async (service) => {
      await stop(service)
      return 'It started'
    },
    (error: Error) => error.message,
  )
  const faults = /newer release/.test(refused) ? [] : [`it was not refused: ${refused}`]
  const after = await during(later, place, (url) => readAll(url, filled))
  return { step, faults: [...faults, ...differences(before, after)] }
}

/** Backups carry data to the later version, and back to the earlier one. */
export async function restores(scenario: Scenario): Promise<Outcome[]> {
  const { earlier, later, backup } = scenario
  const into = (version: typeof earlier) =>
    onRestored(scenario, { backup, by: version }, (place) => wholeIn(scenario, version, place))
  return [
    { step: 'a backup of the earlier version is restored by the later one', faults: await into(later) },
    { step: 'the backup from before the upgrade is restored by the earlier version', faults: await into(earlier) },
  ]
}

/** Writes a score and waits for its event. @returns all responses afterwards */
async function playOn({ filled, receiver }: Scenario, url: string, score: number): Promise<Answers> {
  const app = appOf(url, filled.appKey)
  const [first] = filled.playerIds
  const before = receiver.received.length
  await app.patch(`/api/v1/apps/game-sessions/${filled.sessionId}/players/${first}`, { score })
  await eventually('the webhook event of a score', async () => receiver.received.length > before)
  const answers = () => readAll(url, filled)
  await eventually('the delivery recorded', async () => !JSON.stringify([...(await answers())]).includes('"PENDING"'))
  return answers()
}

/** Checks with `files check` of the later version that records and files match. */
export async function filesFit({ later }: Scenario, place: Place): Promise<string[]> {
  const out = await command(later, place, ['files', 'check', '--hashes', '--json']).catch(
    (error: Error) => error.message,
  )
  return /"faults":\[\]/.test(out) ? [] : [out]
}
