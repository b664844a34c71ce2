import { translation } from '../catalogue'
import type en from '../en/setup'

export default translation<typeof en>({
  title: 'مرحبًا بك في Sheaf',
  about: 'هذا الخادم جديد. أنشئ الحساب الأول: هو لك، وهو الذي يعتني بالخادم.',
  code: 'الرمز',
  codeHint: 'أظهره الخادم عند تشغيله، حيث تقرأ ما يُظهره.',
  make: 'إنشاء الحساب الأول',
  done: 'الحساب الأول موجود بالفعل.',
  signIn: 'تسجيل الدخول',
})
