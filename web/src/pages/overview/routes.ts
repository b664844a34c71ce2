import type { RouteRecordRaw } from 'vue-router'

export const routes: RouteRecordRaw[] = [
  {
    path: '/forms/:formId(\\d+)',
    component: () => import('./overview.vue'),
    props: ({ params }) => ({ formId: Number(params.formId) }),
  },
]
