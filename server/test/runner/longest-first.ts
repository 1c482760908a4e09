import type { TestSpecification } from 'vitest/node'
import { BaseSequencer } from 'vitest/node'

/** The slowest files, longest first: they mostly wait for processes, which file sizes do not show. */
const LONGEST = [
  'server/test/attack/attack.test.ts',
  'release/package/package.test.ts',
  'server/modules/scoring/computed/unmade-boards.test.ts',
  'server/modules/tags/detector/detector.test.ts',
  'web/test/pages/files/files.browser.test.ts',
  'web/test/accessibility/translated.browser.test.ts',
  'web/test/map/bulk-quota.browser.test.ts',
  'web/test/pages/apps.browser.test.ts',
  'web/test/map/pins.browser.test.ts',
  'web/test/map/list.browser.test.ts',
  'web/test/pages/import.browser.test.ts',
  'web/test/accessibility/every-page.browser.test.ts',
  'server/modules/reference-systems/every-code.proj.test.ts',
  'faults/machines/rolling.machines.test.ts',
  'web/test/pages/scans.browser.test.ts',
  'usdz/test/pictures/pictures.browser.test.ts',
  'web/test/accessibility/phone.browser.test.ts',
  'web/test/accessibility/forced-colours.browser.test.ts',
  'web/test/accessibility/keyboard-runs.browser.test.ts',
  'web/test/pages/first-run.browser.test.ts',
  'web/test/map/control-points.browser.test.ts',
  'web/test/map/basemap.browser.test.ts',
  'web/test/map/styles.browser.test.ts',
  'sdk-csharp/test/faults.mono.test.ts',
  'server/cli/accounts/apps.test.ts',
  'server/main.test.ts',
  'server/cli/content/places.test.ts',
  'server/modules/surveys/heights/grids.test.ts',
  'server/modules/surveys/import/import-resume.test.ts',
  'server/test/lifecycle/drop-privileges.test.ts',
  'server/cli/storage/files.test.ts',
  'server/modules/scans/kills.test.ts',
  'server/modules/surveys/import/import-sandbox.test.ts',
  'usdz/test/movement.test.ts',
  'server/test/rules/hostile-models.test.ts',
  'server/modules/fences/positions/several-processes.test.ts',
  'server/modules/surveys/parser/test/round-trips.test.ts',
  'server/modules/scoring/periods/rollover-kills.test.ts',
  'server/modules/exports/formats-round-trip.test.ts',
  'server/modules/surveys/parser/formats/records/every-record.test.ts',
  'server/modules/tiles/brute-force.test.ts',
  'server/modules/files/conversion/kills.test.ts',
  'server/cli.test.ts',
  'usdz/test/features/features.test.ts',
  'usdz/test/fuzz/fuzz.test.ts',
  'scripts/tour/tour.test.ts',
  'server/cli/accounts/keys.test.ts',
  'server/cli/storage/backup-traffic.test.ts',
  'server/modules/scoring/periods/rollover-kills.redis.test.ts',
  'usdz/check/packages-of-others.test.ts',
  'sdk/test/package.test.ts',
  'server/modules/webhooks/kills.test.ts',
  'server/cli/storage/restore-kills.test.ts',
  'server/modules/surveys/import/import-kills.test.ts',
  'server/modules/gcps/tags/tag-races.test.ts',
  'server/modules/zones/many-positions.test.ts',
  'server/modules/files/conversion/wait-limits.test.ts',
  'server/platform/database/jobs/paused-jobs.test.ts',
  'server/test/access/access.test.ts',
  'server/modules/gcps/heights.test.ts',
  'server/modules/files/conversion/options/options.test.ts',
  'server/platform/http/operations.test.ts',
  'server/modules/scoring/hooks/decisions.test.ts',
  'server/modules/reference-systems/check-points.test.ts',
  'server/modules/players/profile-image.test.ts',
  'server/platform/images/image-reader.test.ts',
  'server/modules/scans/private-scans.test.ts',
  'server/modules/scans/inspector.test.ts',
  'server/modules/surveys/real-files/office-headers.test.ts',
  'server/modules/surveys/real-files/named-systems.test.ts',
  'server/modules/surveys/real-files/ordinary-files.test.ts',
]

/** Starts the slowest files first, so that no worker starts one at the end; also on a machine that never ran the tests. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification) => {
      const place = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}`))
      return place < 0 ? LONGEST.length : place
    }
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b))
  }
}
