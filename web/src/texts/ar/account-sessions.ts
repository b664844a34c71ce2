import { translation } from '../catalogue'
import type en from '../en/account-sessions'

export default translation<typeof en>({
  title: 'أين سجّلت الدخول',
  about: 'متصفحات تعرفك. أنهِ ما لا تعرفه منها، ثم غيّر كلمة مرورك.',
  this: 'هذا المتصفح',
  browserOn: '{browser} على {system}',
  unknown: 'متصفح غير معروف',
  seen: 'آخر استخدام',
  since: 'تسجيل الدخول: {date}',
  stays: 'يبقى مسجلًا',
  end: 'إنهاء',
  endOf: 'إنهاء {browser}',
  ended: 'أُنهيت الجلسة هناك',
  endOthers: 'الخروج من كل مكان آخر',
  othersEnded: 'لم تبقَ إلا هذه الجلسة',
})
