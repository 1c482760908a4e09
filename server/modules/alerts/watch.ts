import type { Clock } from '../../platform/database/clock.ts'
import type { Log } from '../../platform/logging/log.ts'
import type { Health } from '../admin/schema.ts'
import { type AppState, appConditions, boxConditions, type Condition } from './conditions.ts'
import type { alertDispatch } from './dispatch.ts'
import type { AlertStore } from './store.ts'
import { transitions } from './transitions.ts'

type Deps = {
  store: AlertStore
  dispatch: Pick<ReturnType<typeof alertDispatch>, 'send' | 'wake'>
  /** Runs the work unless another process does. */
  alone: (work: () => Promise<void>) => Promise<boolean>
  health: () => Promise<Health>
  stateOf: (appId: string) => Promise<AppState>
  newId: () => string
  clock: Clock
  log: Log
}

/** Ended alerts are listed for so long. */
const KEPT_DAYS = 90

/** Looks at the conditions of the installation and of apps, and opens and ends alerts. One process does so at a time. */
export function alertWatch({ store, dispatch, alone, health, stateOf, newId, clock, log }: Deps) {
  const reconcile = (appId: string | null, conditions: Condition[]) => {
    const now = clock.now()
    return store.reconcile(appId, {
      decide: (unfinished) => transitions(unfinished, conditions, now),
      send: dispatch.send,
      newId,
      now,
    })
  }

  return async (): Promise<void> => {
    /** What fails for one does not keep the others from being looked at. */
    const each = async (appId: string | null, conditionsOf: () => Promise<Condition[]>) => {
      try {
        await reconcile(appId, await conditionsOf())
      } catch (error) {
        log.error({ err: error, appId }, 'failed to check for alerts')
      }
    }
    await alone(async () => {
      await each(null, async () => boxConditions(await health()))
      for (const appId of await store.watched()) await each(appId, async () => appConditions(await stateOf(appId)))
      await store.removeOld(KEPT_DAYS)
    })
    dispatch.wake()
  }
}
