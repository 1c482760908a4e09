import { PageBody, PageHead } from '../../parts/page-head.tsx'

export const Apps = () => (
  <PageBody>
    <PageHead title="Apps" />
  </PageBody>
)
