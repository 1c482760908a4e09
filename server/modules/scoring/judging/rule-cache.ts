type Deps = {
  /** The types of an app that have rules. */
  ruledTypes: (appId: string) => Promise<Set<string>>
  /** The type key of a session, which never changes; undefined without the session. */
  typeOf: (appId: string, sessionId: string) => Promise<string | undefined>
}

/** Number of apps, and of sessions, that are remembered. */
const MOST = 10_000

const NONE: ReadonlySet<string> = new Set()

export type RuleCache = ReturnType<typeof ruleCache>

/**
 * Which types of each app have rules. Read once for an app, and again after a change, of which the change feed tells every
 * process within a second. A score of an app without rules costs a look into a map.
 */
export function ruleCache({ ruledTypes, typeOf }: Deps) {
  const apps = new Map<string, ReadonlySet<string> | Promise<ReadonlySet<string>>>()
  const sessions = new Map<string, string>()

  function typesOf(appId: string) {
    const known = apps.get(appId)
    if (known) return known
    const reading: Promise<ReadonlySet<string>> = ruledTypes(appId).then(
      (types) => {
        // A change that was reported meanwhile has removed it, and may not be in what was read.
        if (apps.get(appId) === reading) apps.set(appId, types.size === 0 ? NONE : types)
        return types
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

  async function hasRuledType(types: ReadonlySet<string>, appId: string, sessionId: string): Promise<boolean> {
    if (types.size === 0) return false
    const name = `${appId} ${sessionId.toLowerCase()}`
    let type = sessions.get(name)
    if (type === undefined) {
      type = await typeOf(appId, sessionId)
      if (type === undefined) return false
      if (sessions.size >= MOST) sessions.clear()
      sessions.set(name, type)
    }
    return types.has(type)
  }

  return {
    /** Whether scores of this session have to satisfy rules. @returns no promise if the app is known to have none */
    isRuled(appId: string, sessionId: string): boolean | Promise<boolean> {
      const types = typesOf(appId)
      if (types instanceof Promise) return types.then((known) => hasRuledType(known, appId, sessionId))
      return types.size === 0 ? false : hasRuledType(types, appId, sessionId)
    },

    /** Reads the app again for the next score. */
    forget: (appId: string) => void apps.delete(appId),

    forgetAll: () => apps.clear(),
  }
}
