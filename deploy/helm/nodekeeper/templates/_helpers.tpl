{{/* The sets of replicas: name and role of each. */}}
{{- define "nodekeeper.sets" -}}
{{- if eq .Values.roles "split" -}}
{"sets": [{"name": "nodekeeper-capture", "role": "capture"}, {"name": "nodekeeper-restore", "role": "restore"}]}
{{- else -}}
{"sets": [{"name": "nodekeeper", "role": "all"}]}
{{- end -}}
{{- end -}}

{{- define "nodekeeper.labels" -}}
app.kubernetes.io/name: nodekeeper
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end -}}

{{- define "nodekeeper.image" -}}
{{- with .Values.image -}}
{{- if .digest }}{{ .repository }}@{{ .digest }}{{ else }}{{ .repository }}:{{ .tag }}{{ end -}}
{{- end -}}
{{- end -}}
