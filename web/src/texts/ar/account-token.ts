import { translation } from '../catalogue'
import type en from '../en/account-token'

export default translation<typeof en>({
  title: 'رمز الواجهة البرمجية',
  about: 'به يقرأ برنامج أو نص برمجي ويكتب كل ما يحق لك، دون كلمة مرورك. احفظه كما تحفظ كلمة مرورك.',
  password: 'كلمة مرورك',
  passwordHint: 'تُطلب مجددًا لأن من لديه الرمز لا يحتاج إلى تسجيل الدخول.',
  show: 'عرض الرمز',
  hide: 'إخفاؤه',
  permanent: 'رمز دائم',
  temporary: 'رمز مؤقت',
  try: 'مثلًا في الطرفية',
  docs: 'ما تستطيعه البرامج موصوف في {link}.',
  docsLink: 'وصف الواجهة البرمجية',
  renew: 'استبداله',
  renewTitle: 'استبدال الرمز؟',
  renewAbout: 'ينتهي القديم فورًا: تتوقف البرامج والنصوص التي تستخدمه حتى تحصل على الجديد.',
  renewed: 'استُبدل الرمز',
  cancel: 'إلغاء',
})
