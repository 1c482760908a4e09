import type { AskedHook } from '../hooks/questions.ts'

type Deps = {
  /** The types of an app that have rules. */
  ruledTypes: (appId: string) => Promise<Set<string>>
  /** The enabled hooks of an app, by the key of their type; null: of all types without one. */
  hooks: (appId: string) => Promise<Map<string | null, AskedHook>>
  /** The type key of a session, which never changes; undefined without the session. */
  typeOf: (appId: string, sessionId: string) => Promise<string | undefined>
}

/** What judges scores of an app. */
type OfApp = { ruled: ReadonlySet<string>; hooks: ReadonlyMap<string | null, AskedHook> }
/** What judges a score of a type: rules of the type if there is no hook, and the hook. */
export type Judging = { typeKey: string; hook: AskedHook | undefined }

/** Number of apps, and of sessions, that are remembered. */
const MOST = 10_000

/** The same object for every app without rules and hooks. */
const NONE: OfApp = { ruled: new Set(), hooks: new Map() }

export type RuleCache = ReturnType<typeof ruleCache>

/**
 * Which types of each app have rules or a hook. Read once for an app, and again after a change, of which the change feed
 * tells every process within a second. A score of an app without them costs a look into a map.
 */
export function ruleCache({ ruledTypes, hooks, typeOf }: Deps) {
  const apps = new Map<string, OfApp | Promise<OfApp>>()
  const sessions = new Map<string, string>()

  function ofApp(appId: string) {
    const known = apps.get(appId)
    if (known) return known
    const reading: Promise<OfApp> = Promise.all([ruledTypes(appId), hooks(appId)]).then(
      ([ruled, asked]) => {
        const found = ruled.size === 0 && asked.size === 0 ? NONE : { ruled, hooks: asked }
        // A change that was reported meanwhile has removed it, and may not be in what was read.
        if (apps.get(appId) === reading) apps.set(appId, found)
        return found
      },
      (error) => {
        if (apps.get(appId) === reading) apps.delete(appId)
        throw error
      },
    )
    if (apps.size >= MOST) apps.clear()
    apps.set(appId, reading)
    return reading
  }

  async function ofSession(found: OfApp, appId: string, sessionId: string): Promise<Judging | undefined> {
    if (found === NONE) return undefined
    const name = `${appId} ${sessionId.toLowerCase()}`
    let typeKey = sessions.get(name)
    if (typeKey === undefined) {
      typeKey = await typeOf(appId, sessionId)
      if (typeKey === undefined) return undefined
      if (sessions.size >= MOST) sessions.clear()
      sessions.set(name, typeKey)
    }
    const hook = found.hooks.get(typeKey) ?? found.hooks.get(null)
    return hook || found.ruled.has(typeKey) ? { typeKey, hook } : undefined
  }

  return {
    /** What judges scores of this session. @returns no promise if nothing is known to judge scores of the app */
    judging(appId: string, sessionId: string): undefined | Promise<Judging | undefined> {
      const found = ofApp(appId)
      if (found instanceof Promise) return found.then((known) => ofSession(known, appId, sessionId))
      return found === NONE ? undefined : ofSession(found, appId, sessionId)
    },

    /** Reads the app again for the next score. */
    forget: (appId: string) => void apps.delete(appId),

    forgetAll: () => apps.clear(),
  }
}
