import type { RouteRecordRaw } from 'vue-router'

export const routes: RouteRecordRaw[] = [
  {
    path: '/forms/:formId(\\d+)/versions',
    component: () => import('./form-versions.vue'),
    props: ({ params }) => ({ formId: Number(params.formId) }),
    meta: { access: 'anyone' },
  },
]
