import { setTimeout as sleep } from 'node:timers/promises'
import { surveyRows } from '../../../server/test/surveying/imports.ts'
import { type Call, expectStatus } from '../../load/client.ts'
import { form } from '../../load/upload-kinds.ts'
import { createFindings, type Row } from '../../row.ts'
import { openTopologySite } from '../../sites/topology-site.ts'

const ROWS = 10_000
/** Rows per import. */
const KILLS = 5

type Progress = { status: string; settled: number }

/** F5. */
export const importKills: Row = {
  id: 'F5',
  title: 'SIGKILL during survey imports',
  isLong: true,
  async run(context) {
    const imports = context.times(1, 2, 6)
    const wrong = createFindings()
    const site = await openTopologySite(context, { settings: { CAIRN_ROLE: 'all' } })
    const [service] = site.apis
    const headers = { authorization: `Bearer ${await site.token()}` }
    const call = async (one: Call) =>
      (await expectStatus(site.client.send({ ...one, headers: { ...headers, ...one.headers } }))).body
    const createProgress = async (id: string): Promise<Progress> =>
      (await site.sql<Progress>('select status, settled_rows as settled from csv_uploads where id = $1', [id]))[0]!
    let [inTheMiddle, kills] = [0, 0]

    for (let round = 0; round < imports; round++) {
      const text = surveyRows(ROWS, 10 + round / 10)
      const file = form({ fileName: 'marks.csv', bytes: Buffer.from(text) })
      const { results } = await call({ method: 'POST', path: '/api/upload', ...file })
      const { id: zoneId } = await call({ method: 'POST', path: '/api/zones', body: { title: `Park ${round}` } })
      const survey = { fileName: 'marks.csv', fileUrl: results[0].url, zoneId }
      const { id } = await call({ method: 'POST', path: '/api/gcp/upload', body: survey })

      for (let kill = 1; kill <= KILLS; kill++) {
        const until = (ROWS * (kill - 0.5 + Math.random() / 2)) / (KILLS + 1)
        for (let i = 0; i < 20_000 && (await createProgress(id)).settled < until; i++) await sleep(2)
        await service!.kill()
        kills++
        const before = await createProgress(id)
        if (before.status === 'PROCESSING') inTheMiddle++
        await service!.start()
        const after = await createProgress(id)
        if (after.settled < before.settled)
          wrong.add('committed rows were lost', `${before.settled}, then ${after.settled}`)
      }
      let shown = 0
      for (let i = 0; i < 1200; i++) {
        const { status, processedRows } = await call({ method: 'GET', path: `/api/gcp/upload/${id}` })
        if (processedRows < shown) wrong.add('processedRows fell', `${shown}, then ${processedRows}`)
        shown = processedRows
        if (status === 'COMPLETED' || status === 'FAILED') break
        await sleep(100)
      }
      const record = await call({ method: 'GET', path: `/api/gcp/upload/${id}` })
      const { status, rowCount, processedRows } = record
      if (status !== 'COMPLETED' || rowCount !== ROWS || processedRows !== ROWS)
        wrong.add('the record does not match the file', JSON.stringify(record))
      const [points] = await site.sql<{ many: number; titles: number; pins: number }>(
        `select count(*) as many, count(distinct g.title) as titles, count(p.id) as pins
           from gcps g left join pins p on p.gcp_id = g.id where g.zone_id = $1`,
        [zoneId],
      )
      if (points!.many !== ROWS || points!.titles !== ROWS || points!.pins !== ROWS)
        wrong.add('the points do not match the file', JSON.stringify(points))
      context.say(`import ${round + 1}: ${status}, ${JSON.stringify(points)}, ${wrong.text() || 'exact'}`)
    }
    return {
      what: `SIGKILL ${KILLS} times in each import of ${ROWS} rows`,
      count: `${kills} kills, ${inTheMiddle} of them in the middle of an import, ${imports * ROWS} rows`,
      criterion: 'rows exact, none doubled, each with its pin; processedRows never decreases',
      seen: wrong.any ? wrong.text() : `${imports * ROWS} points, none missing, none doubled`,
      passed: !wrong.any && inTheMiddle > 0,
    }
  },
}
