import { PageBody, PageHead } from '../../parts/page-head.tsx'

export const ScanPage = () => (
  <PageBody>
    <PageHead title="ScanPage" />
  </PageBody>
)
