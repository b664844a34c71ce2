import type { RouteRecordRaw } from 'vue-router'

export const routes: RouteRecordRaw[] = [
  {
    path: '/forms/:formId(\\d+)/charts',
    component: () => import('./charts.vue'),
    props: ({ params }) => ({ formId: Number(params.formId) }),
  },
]
