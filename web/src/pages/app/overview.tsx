import { PageBody, PageHead } from '../../parts/page-head.tsx'

export const Overview = () => (
  <PageBody>
    <PageHead title="Overview" />
  </PageBody>
)
