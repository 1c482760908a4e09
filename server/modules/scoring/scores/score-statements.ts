import { columnOf, selectText } from '../../../platform/records/columns.ts'
import { placeFields, shownPlayerFields } from '../sessions/player-record.ts'
import type { Statement } from './score-connections.ts'

/** The statements of score-repository.ts. */

const moved = 's.outcome, s.type_key, s.old_best, s.new_best, s.version, s.xid, s.periods'
const times = selectText(placeFields, 's')
const player = `${selectText(shownPlayerFields, 'p')}, p.user_id as "userId", p.username`
const playerColumns = Object.keys(shownPlayerFields).map((name) => columnOf(shownPlayerFields, name, 'p'))
/** Looked up row by row (`offset 0` keeps the planner from scanning all players to join them). */
const whose = (app: string, id: string) => `
  left join lateral (
    select ${playerColumns.join(', ')}, p.user_id, u.username from players p left join users u on u.id = p.user_id
     where p.app_id = ${app} and p.id = ${id} offset 0) p on true`

export const saveOne = `select ${moved}, ${times}, ${player} from save_score($1, $2, $3, $4, $5) s ${whose('$1', '$3')}`
export const saveGroup = `
  select s.n, ${moved}, ${times}, ${player} from save_scores_group($1::uuid[], $2, $3::uuid[], $4, $5) s
  ${whose('($1::uuid[])[s.n]', '($3::uuid[])[s.n]')} order by s.n`
export const importBatch = 'select * from import_scores($1, $2, $3, $4, $5, $6)'
export const saveBatch = `
  select s.n, ${moved}, ${times}, ${player} from save_scores($1, $2, $3::uuid[], $4, $5) s
  ${whose('$1', '($3::uuid[])[s.n]')} order by s.n`
export const saveJudged = `
  select s.n, s.held_id as "reviewId", s.score, ${moved}, ${times}, ${player}
    from save_judged_scores($1, $2, $3::uuid[], $4, $5, $6, $7, $8) s
  ${whose('$1', '($3::uuid[])[s.n]')} order by s.n`

/** The same statement, whose first row also has what it did to the boards of segments (0090_many_segment_moves.sql). */
export const withSegmentMoves = (statement: Statement): Statement => ({
  ...statement,
  text: `select w.*, case when row_number() over () = 1 and current_setting('cairn.segment_moves', true) <> ''
                          then segment_moves() end as "segmentMoves"
           from (${statement.text}) w`,
})

/** Before the function that deletes the rest, so that its transaction is short however long the history is. */
export const HISTORY_BATCH = 20_000
export const deleteHistory = `
  with gone as (
    delete from score_history where ctid = any (array(
      select ctid from score_history where app_id = $1 and player_id = $2 limit ${HISTORY_BATCH})) returning 1)
  select count(*)::int as gone from gone`
