import 'at-least-once';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';

function Page() {
  const [guard, setGuard] = useState('off');
  const [paid, setPaid] = useState('');
  return (
    <>
      <button type="button" onClick={() => setGuard('on')}>
        Put the guard in
      </button>
      <p id="paid">{paid}</p>
      <at-least-once
        experiment="double-refund"
        guard={guard}
        queue-max-attempts="2"
        onat-least-once-run-end={(event) => setPaid(String(event.detail.verdict.paid_cents))}
      >
        <p>Two crashes after the write.</p>
      </at-least-once>
    </>
  );
}

createRoot(document.getElementById('app')).render(<Page />);
