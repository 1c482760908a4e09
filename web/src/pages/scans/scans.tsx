import { PageBody, PageHead } from '../../parts/page-head.tsx'

export const Scans = () => (
  <PageBody>
    <PageHead title="Scans" />
  </PageBody>
)
