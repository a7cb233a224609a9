;; Starts the server with Eglot for the file in $FILE, breaks the file, and writes to $RESULT what Emacs got of the server.
;; Packages of Debian, which Emacs doesn't look for when it starts without settings. Emacs has Eglot itself since version 29.
(dolist (folder (file-expand-wildcards "/usr/share/emacs/site-lisp/elpa/*-[0-9]*")) (add-to-list 'load-path folder))
(require 'eglot)
(require 'json)
(require 'xref)
(setq eglot-sync-connect 20)
(defvar found nil)

(defun wait (condition)
  (let ((end (+ (float-time) 10)))
    (while (and (not (funcall condition)) (< (float-time) end)) (accept-process-output nil 0.05))))

(condition-case reason
    (progn
      (find-file (getenv "FILE"))
      (eglot (list major-mode) (cons 'transient default-directory) 'eglot-lsp-server (list (getenv "REQCLI") "lsp") "json")
      (goto-char (point-min))
      (search-forward "{{")
      (let ((completion (eglot-completion-at-point)))
        (push (cons 'completion (vconcat (all-completions "" (nth 2 completion)))) found))
      (forward-char 1)
      (push (cons 'definition (length (xref-backend-definitions 'eglot (xref-backend-identifier-at-point 'eglot)))) found)
      (goto-char (point-min))
      (forward-line 1)
      (insert "  \"nonsense\": 1,\n")
      (flymake-mode 1)
      (eglot--signal-textDocument/didChange)
      (let ((texts (lambda () (mapcar #'flymake-diagnostic-text (flymake-diagnostics)))))
        (wait (lambda () (seq-some (lambda (text) (string-match-p "nonsense" text)) (funcall texts))))
        (push (cons 'problems (vconcat (funcall texts))) found)))
  (error (push (cons 'error (format "%S" reason)) found)))

(with-temp-file (getenv "RESULT") (insert (json-encode found)))
(set-buffer-modified-p nil)
(kill-emacs 0)
