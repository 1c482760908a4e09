/** Statements that break or block processes of the previous release. */
const BREAKS: [what: string, pattern: RegExp][] = [
  ['drops something', /\bdrop\s+(?!index concurrently|not null|default)/],
  ['renames something', /\brename\b/],
  ['changes a type', /\balter\s+(column\s+)?\S+\s+(set data )?type\b/],
  ['makes a column needed', /\bset not null\b/],
  [
    'adds a column that what is written before does not fill',
    /\badd\s+(column\s+)?(?!constraint)\w+ (?!.*\bdefault\b).*\bnot null\b/,
  ],
  ['adds a column whose value is worked out for every row', /\badd\s+column\b.*\bdefault\s+(?!now\(\))\w+\(/],
  ['adds a column that is worked out for every row', /\badd\s+column\b.*\bgenerated (always|by default) as\b/],
  ['numbers every row', /\badd\s+(column\s+)?\w+ (small|big)?serial\b/],
  [
    'adds a constraint and checks every row under its lock',
    /\badd\s+(constraint\s+\w+\s+)?(check|foreign key|unique|primary key)\b(?!.*\bnot valid\b)/,
  ],
  ['changes rows, however many there are', /^(update|delete|insert into \w+[^;]*\bselect)\b/],
  ['locks a table', /^(lock|truncate|cluster|vacuum full|reindex)\b/],
]

/** Known calls: a table is counted while readers continue, and later writes of older processes are recorded. */
const EXPANDING = /^select count_rows\('\w+'\)( where not are_rows_counted\('\w+'\))?$/

/**
 * The reasons why a process of the previous release would fail or wait during and after this migration; none if it only
 * expands: new tables, columns that may be absent or have a constant default, functions, indexes built concurrently. A
 * migration that must do more declares it in its first line, and is skipped.
 */
export function breaksOlder(sql: string): string[] {
  if (/^-- needs \d{4}_\w+\.sql: \S/.test(sql)) return []
  const statements = statementsOf(sql)
  const made = new Set(
    statements.map((one) => /^create\s+(?:unlogged\s+)?table\s+(?:if not exists\s+)?(\w+)/.exec(one)?.[1]),
  )
  return statements.flatMap((statement) => {
    const [, table] =
      /^(?:alter table|update|delete from|insert into)\s+(?:only\s+|if exists\s+)?(\w+)/.exec(statement) ?? []
    if (table && made.has(table)) return []
    const faults = /^(alter|drop|update|delete|insert|lock|truncate|cluster|vacuum|reindex)\b/.test(statement)
      ? BREAKS.filter(([, pattern]) => pattern.test(statement)).map(([what]) => what)
      : []
    const [, indexed] =
      /^create\s+(?:unique\s+)?index\s+(?!concurrently).*?\bon\s+(?:only\s+)?(\w+)/.exec(statement) ?? []
    if (indexed && !made.has(indexed)) faults.push('builds an index while nobody may write')
    const [, unique] = /^create\s+unique\s+index\s+.*?\bon\s+(?:only\s+)?(\w+)/.exec(statement) ?? []
    if (unique && !made.has(unique)) faults.push('refuses what older processes may write twice')
    const [, hooked] = /^create\s+(?:or replace\s+)?(?:constraint\s+)?trigger\s.*?\bon\s+(\w+)/.exec(statement) ?? []
    if (hooked && !made.has(hooked)) faults.push('adds to what the writes of older processes do')
    if (/^select\b/.test(statement) && !EXPANDING.test(statement)) faults.push('calls what cannot be read here')
    if (/^do\b/.test(statement)) faults.push('does what cannot be read here')
    return faults.map((what) => `${what}: ${statement.slice(0, 80)}`)
  })
}

/** Normalizes statements: lower case, one line each, without comments and function bodies. */
function statementsOf(sql: string): string[] {
  return sql
    .replace(/--.*$/gm, '')
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
    .replace(/\bbegin atomic\b[\s\S]*?\bend;/gi, "'';")
    .split(';')
    .map((statement) => statement.replace(/\s+/g, ' ').trim().toLowerCase())
    .filter((statement) => statement !== '')
}
